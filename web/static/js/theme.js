// Runs before the first paint, so that the page never flashes in the wrong colours.
(() => {
  let wanted = null;
  try {
    wanted = localStorage.getItem("schiri-theme");
  } catch {
    // Storage may be switched off; the system's choice is good enough then.
  }
  const dark = wanted ? wanted === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = dark ? "dark" : "light";
})();
