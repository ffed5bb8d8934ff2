// Who plays: name, colour, seat, order.

import { byId, h, icon, show } from "./dom.js";
import { lang, t } from "./words.js";

const SEATS = ["", "bottom", "left", "top", "right"];

export const playersRange = ({ players: [low, high] }) => (low === high ? t("players_exactly", { n: low }) : t("players_range", { low, high }));

export function showPlayers(game, players, changed) {
  const [low, high] = game.players;
  byId("add-player").disabled = players.length >= high;
  byId("players-hint").textContent = playersRange(game);
  // Names are left out of the key: typing must not take the field away from under the fingers.
  const key = [lang(), game.name, players.map(({ colour, seat }) => [colour, seat]), players.length];
  show(byId("players"), key, () => players.map((player, k) => row(game, players, player, k, changed)));
}

/** The table from above: pawns are dragged to the side where their player sits (the lists do the same by keyboard). */
export function showSeats(game, players, changed) {
  const key = [lang(), game.name, players.map(({ name, colour, seat }) => [name, colour, seat])];
  show(byId("seats"), key, () =>
    SEATS.map((seat) => {
      const there = players.filter((player) => (player.seat || "") === seat);
      const zone = h("div", { class: `seat seat-${seat || "none"}` }, h("small", {}, seat ? t(`seat_${seat}`) : t("seat_waiting")), there.map((player) => chip(player, players, changed)));
      zone.dataset.seat = seat;
      return zone;
    }),
  );
}

function chip(player, players, changed) {
  const element = h("span", { class: "chip" }, player.colour ? icon("pawn", { className: `pawn c-${player.colour}` }) : null, player.name || String(players.indexOf(player) + 1));
  let from = null;
  element.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    element.setPointerCapture(event.pointerId);
    from = [event.clientX, event.clientY];
  });
  element.addEventListener("pointermove", (event) => {
    if (from) element.style.translate = `${event.clientX - from[0]}px ${event.clientY - from[1]}px`;
  });
  element.addEventListener("pointerup", (event) => {
    from = null;
    element.style.translate = "";
    element.style.pointerEvents = "none";
    const zone = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-seat]");
    element.style.pointerEvents = "";
    if (!zone || zone.dataset.seat === (player.seat || "")) return;
    player.seat = zone.dataset.seat;
    changed();
  });
  element.addEventListener("pointercancel", () => {
    from = null;
    element.style.translate = "";
  });
  return element;
}

function row(game, players, player, k, changed) {
  const number = k + 1;
  const name = h("input", {
    value: player.name, maxlength: 30, autocomplete: "off", "aria-label": t("player_name", { n: number }), placeholder: t("player_name", { n: number }),
    oninput: (event) => (player.name = event.currentTarget.value),
    onchange: changed,
  });
  const seat = h(
    "select",
    {
      "aria-label": t("player_seat", { n: number }),
      onchange: (event) => {
        player.seat = event.currentTarget.value;
        changed();
      },
    },
    SEATS.map((value) => h("option", { value, selected: value === player.seat }, t(`seat_${value || "none"}`))),
  );
  return h(
    "li",
    { class: `player c-${player.colour || "none"}` },
    h("span", { class: "order" }, orderButton(players, k, changed)),
    game.colours.length ? colours(game, players, player, number, changed) : null,
    name,
    seat,
    h(
      "button",
      {
        type: "button", class: "quiet icon-only", "aria-label": t("remove_player", { n: number }), disabled: players.length <= game.players[0],
        onclick: () => {
          players.splice(k, 1);
          changed();
        },
      },
      icon("trash"),
    ),
  );
}

function orderButton(players, k, changed) {
  return h(
    "button",
    {
      type: "button", class: "quiet icon-only", disabled: k === 0, "aria-label": t("earlier", { n: k + 1 }),
      onclick: () => {
        [players[k - 1], players[k]] = [players[k], players[k - 1]];
        byId("players").dataset.shown = "";
        changed();
      },
    },
    icon("up"),
  );
}

/** A colour that another player has is exchanged with that player. */
function colours(game, players, player, number, changed) {
  const select = h(
    "select",
    {
      class: "colour", "aria-label": t("player_colour", { n: number }),
      onchange: (event) => {
        const other = players.find((one) => one !== player && one.colour === event.currentTarget.value);
        if (other) other.colour = player.colour;
        player.colour = event.currentTarget.value;
        changed();
      },
    },
    game.colours.map((colour) => h("option", { value: colour, selected: colour === player.colour }, t(`colour_${colour}`))),
  );
  return h("span", { class: "pawn-pick" }, icon("pawn", { className: `pawn c-${player.colour}` }), select);
}
