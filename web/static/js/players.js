// Who plays: name, colour, seat, order.

import { byId, h, icon, show } from "./dom.js";
import { lang, t } from "./words.js";

const SEATS = ["", "bottom", "left", "top", "right"];

export function showPlayers(game, players, changed) {
  const [low, high] = game.players;
  byId("add-player").disabled = players.length >= high;
  byId("players-hint").textContent = t("players_range", { low, high });
  // Names are left out of the key: typing must not take the field away from under the fingers.
  const key = [lang(), game.name, players.map(({ colour, seat }) => [colour, seat]), players.length];
  show(byId("players"), key, () => players.map((player, k) => row(game, players, player, k, changed)));
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
