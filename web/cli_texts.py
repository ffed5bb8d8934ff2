"""The words of the command line, German and English."""

from __future__ import annotations

from web.cli_texts_flick import FLICK_TEXTS
from web.cli_texts_qwixx import QWIXX_TEXTS


def _head(what: str, rate: str, median: str) -> str:
    """The first line of a table of speeds."""
    return f"{what:<28}{rate:>12}{median:>12}{'95 % ms':>12}{'99 % ms':>12}"


TEXTS: dict[str, tuple[str, str]] = {
    # help
    "usage": ("Aufruf", "Usage"),
    "options": ("Optionen", "Options"),
    "commands": ("Befehle", "Commands"),
    "help_help": ("Diese Hilfe zeigen.", "Show this help."),
    "help_version": ("Die Version zeigen.", "Show the version."),
    "help_lang": ("Sprache: de oder en (sonst die des Computers).", "Language: de or en (else the computer's)."),
    "help_json": ("Ein JSON-Objekt je Zeile für Programme.", "One JSON object a line, for programs."),
    "help_schiri": (
        "Schiri schaut mit einer Kamera auf den Spieltisch und beurteilt jeden Zug. "
        "Zum Ausprobieren: schiri demo",
        "Schiri watches the games table with a camera and judges every move. "
        "To try it: schiri demo",
    ),
    "help_demo": (
        "Spielt eine mitgelieferte Aufnahme durch und zeigt die Seite. "
        "Es werden keine Kamera und keine Einstellungen gebraucht. Mit Strg+C endet die Vorführung.",
        "Play a bundled recording and show the page. "
        "No camera and no settings are needed. Ctrl+C ends it.",
    ),
    "help_headless": (
        "Ohne Seite: die Züge mit ihrem Urteil ausgeben und enden.",
        "Without a page: print the turns with their verdicts and end.",
    ),
    "help_port": (
        "Port der Seite; ist er belegt, wird der nächste freie genommen.",
        "Port of the page; where it is taken, the next free one is used.",
    ),
    "help_no_browser": ("Die Seite nicht von selbst öffnen.", "Do not open the page by itself."),
    "help_speed": (
        "Tempo der Aufnahme: 1 wie in Wirklichkeit, 2 doppelt so schnell; ohne Angabe so schnell es geht.",
        "Speed of the recording: 1 as in reality, 2 twice as fast; as fast as it goes if not given.",
    ),
    "help_demo_speed": ("Tempo der Aufnahme, 1 wie in Wirklichkeit.", "Speed of the recording, 1 as in reality."),
    "help_serve": (
        "Der Schiedsrichter mit seinen Seiten: dort Kamera, Tisch und Spiel einrichten und losspielen. Mit --setup "
        "beginnt das Spiel sofort.",
        "The referee with its pages: choose camera, table and game there, and play. With --setup the game begins at "
        "once.",
    ),
    "help_bench": (
        "Misst, wie schnell dieser Computer ist: beurteilte Züge je Sekunde (rules), alle Laufzeiten abwechselnd und "
        "gegen ultralytics (backends), jede Stufe und der ganze Weg bei drei Bildgrößen (loop), die Last eines ruhigen "
        "Tisches (idle), das Wachsen mit Figuren, Zuschauern und Zügen (growth), was ein Blick kostet (looks), wie "
        "bald nach der Ruhe das Urteil da ist (verdicts). Die schnellste Laufzeit wird gemerkt.",
        "Measure how fast this computer is: turns judged a second (rules), all run times in turns and against "
        "ultralytics (backends), every stage and the whole way for three sizes of picture (loop), the load of an idle "
        "table (idle), the growth with pieces, viewers and turns (growth), what a look costs (looks), how soon after "
        "rest the verdict is there (verdicts). The fastest run time is remembered.",
    ),
    "help_seconds": ("Rechenzeit je Spiel in Sekunden.", "Computing time for each game in seconds."),
    "help_runs": (
        "Wie oft jedes gemessen wird; bei loop die Sekunden der Aufnahme.",
        "How often each is measured; of loop, the seconds of the recording.",
    ),
    "help_part": (
        "Nur diesen Teil messen (mehrfach möglich); looks und verdicts nur so.",
        "Measure this part only (may be repeated); looks and verdicts only so.",
    ),
    "help_recording": (
        "Ordner einer Partie (video.mp4, setup.json), für looks und verdicts (mehrfach möglich).",
        "Folder of a game (video.mp4, setup.json), for looks and verdicts (may be repeated).",
    ),
    "bad_part": ("Den Teil \"{given}\" gibt es nicht: bitte {known}.", "There is no part \"{given}\": give {known}."),
    "help_rules_only": ("Nur die Regeln messen.", "Measure the rules only."),
    "help_busy": (
        "Prozessorzeit statt Uhrzeit: für einen Computer, der nebenher anderes tut.",
        "Processor time instead of the clock: for a computer that does other work meanwhile.",
    ),
    "bench_head_rules": (_head("Regeln", "Züge/s", "Median ms"), _head("rules", "turns/s", "median ms")),
    "bench_head_eyes": (
        _head("Augen (1280x720)", "je Sekunde", "Median ms"), _head("eyes (1280x720)", "a second", "median ms"),
    ),
    "bench_head_loop": (
        _head("Weg ({size})", "je Sekunde", "Median ms"), _head("way ({size})", "a second", "median ms"),
    ),
    "bench_head_growth": (
        _head("Wachstum", "je Sekunde", "Median ms"), _head("growth", "a second", "median ms"),
    ),
    "bench_chosen": (
        "Auf diesem Computer rechnet von nun an {backend}.", "From now on this computer uses {backend}.",
    ),
    "bench_head_looks": (_head("Ansehen", "je Sekunde", "Median ms"), _head("looking", "a second", "median ms")),
    "bench_head_verdicts": (
        _head("Ruhe bis Urteil", "je Sekunde", "Median ms"), _head("rest to verdict", "a second", "median ms"),
    ),
    "bench_verdicts": (
        "{count} Urteile, {looked} % der Bilder angesehen.", "{count} verdicts, {looked} % of the pictures looked at.",
    ),
    "bench_memory": ("Speicher höchstens {mb} MB.", "Memory at most {mb} MB."),
    "bench_idle": (
        "Ruhiger Tisch, {size}: {share} % eines Kerns, {frames_s} Bilder/s, bisher höchstens {memory_mb} MB.",
        "Idle table, {size}: {share} % of a core, {frames_s} pictures/s, at most {memory_mb} MB so far.",
    ),
    "help_source": (
        "Woher die Bilder kommen: Kameranummer (0), Gerät (/dev/video0), Adresse (http://, rtsp://), Videodatei oder "
        "Ordner mit Bildern, phone für ein Telefon.",
        "Where the pictures come from: camera number (0), device (/dev/video0), address (http://, rtsp://), video file "
        "or folder of pictures, phone for a phone.",
    ),
    "help_setup": ("Spiel, Personen und Kalibrierung (JSON).", "Game, players and calibration (JSON)."),
    "help_host": (
        "Wer zuschauen kann: 127.0.0.1 nur dieser Computer, 0.0.0.0 alle im Heimnetz.",
        "Who can watch: 127.0.0.1 only this computer, 0.0.0.0 everybody in the home network.",
    ),
    "help_https": (
        "Das Heimnetz von Anfang an verschlüsselt hereinlassen (nötig für ein Telefon als Kamera; geht auch auf der "
        "Seite).",
        "Let the home network in, encrypted, from the start (a phone as camera needs it; the page can do it too).",
    ),
    "help_journal": (
        "Protokolldatei, aus der ein unterbrochenes Spiel weitergeht (sonst eine je Benutzer; Aufnahmen haben keine).",
        "Journal file from which an interrupted game goes on (else one for each user; recordings have none).",
    ),
    "help_new": (
        "Ein neues Spiel beginnen, auch wenn eines unterbrochen wurde.",
        "Begin a new game even if one was interrupted.",
    ),
    "help_record": (
        "Jedes Spiel in diesem Ordner aufheben: schiri replay DIR --setup DIR/setup.json pfeift es noch einmal.",
        "Keep every game in this folder: schiri replay DIR --setup DIR/setup.json referees it once more.",
    ),
    "help_replay": (
        "Beurteilt eine Aufnahme so schnell es geht, ohne Seite. "
        "VIDEO ist eine Videodatei oder ein Ordner mit Bildern.",
        "Referee a recording as fast as it can, without a page. VIDEO is a video file or a folder of pictures.",
    ),
    "help_events": (
        "Datei für die Züge mit ihrem Urteil, ein JSON-Objekt je Zeile.",
        "File for the turns with their verdicts, one JSON object a line.",
    ),
    "help_commands": (
        "Was Leute unterwegs auf der Seite sagten, ein JSON-Objekt je Zeile mit seiner Zeit at_s, etwa "
        '{{"do": "action_die", "value": "must", "at_s": 3.0}}.',
        "What people told the page meanwhile, one JSON object a line with its time at_s, such as "
        '{{"do": "action_die", "value": "must", "at_s": 3.0}}.',
    ),
    "help_judge": (
        "Beurteilt eine Aufzeichnung nur nach den Regeln. RECORD ist eine Datei mit der Aufstellung in der ersten und "
        "den Zügen in den folgenden Zeilen; - liest von der Standardeingabe.",
        "Judge a record by the rules alone. RECORD is a file with the setup in its first line and the turns in the "
        "following ones; - reads standard input.",
    ),
    "help_out": ("In diese Datei schreiben statt auf die Standardausgabe.", "Write to this file, not standard output."),
    "help_read": ("Liest, was auf einem Foto zu sehen ist.", "Read what a photo shows."),
    "help_read_dice": (
        "Findet die Würfel auf Fotos und sagt, was sie zeigen.",
        "Find the dice in photos and say what they show.",
    ),
    "help_calibrate": (
        "Vermisst den Tisch: findet die vier gedruckten Marker im Bild der Quelle, oder nimmt die vier Ecken, die "
        "angegeben werden, und nennt den Fehler in px und mm.",
        "Measure the table: find the four printed markers in the picture of the source, or take the four corners that "
        "are given, and say the error in px and mm.",
    ),
    "help_corners": (
        "Die vier Ecken der Spielfläche in Pixeln, im Uhrzeigersinn ab oben links: x,y x,y x,y x,y "
        "(in Anführungszeichen).",
        "The four corners of the play area in pixels, clockwise from the top left: x,y x,y x,y x,y (in quotes).",
    ),
    "help_size": (
        "Breite x Höhe der Spielfläche in mm, etwa 510x300.",
        "Width x height of the play area in mm, like 510x300.",
    ),
    "help_marker_mm": ("Seite des schwarzen Quadrats der Marker in mm.", "Side of the markers' black square in mm."),
    "help_calibrate_setup": (
        "Die Kalibrierung in diese setup.json eintragen; die Größe wird von dort genommen, wenn sie darin steht.",
        "Enter the calibration into this setup.json; the size is taken from there where it has one.",
    ),
    "help_models": (
        "Die Trainingsseite: render, train, evaluate, export (braucht den Zusatz train).",
        "The training side: render, train, evaluate, export (needs the extra train).",
    ),
    # what goes wrong
    "no_such_option": (
        "Die Option {option} gibt es nicht: bitte {help} aufrufen.",
        "There is no option {option}: see {help}.",
    ),
    "no_such_command": (
        "Den Befehl {name} gibt es nicht: bitte einen von {known} nehmen.",
        "There is no command {name}: use one of {known}.",
    ),
    "missing_argument": (
        "Es fehlt die Angabe {name}: bitte {help} aufrufen.",
        "The argument {name} is missing: see {help}.",
    ),
    "missing_option": (
        "Es fehlt die Option {name}: bitte {help} aufrufen.",
        "The option {name} is missing: see {help}.",
    ),
    "option_needs_value": (
        "Der Option {option} fehlt ihr Wert: bitte {help} aufrufen.",
        "The option {option} needs a value: see {help}.",
    ),
    "too_many_arguments": (
        "Mit „{given}“ ist nichts anzufangen: bitte {help} aufrufen.",
        'Nothing is expected where "{given}" stands: see {help}.',
    ),
    "bad_value": ("{name}: {problem}", "{name}: {problem}"),
    "bad_number": (
        "„{given}“ ist keine Zahl von {low} bis {high}.",
        '"{given}" is no number from {low} to {high}.',
    ),
    "bad_lang": ("„{given}“ ist keine der Sprachen de und en.", '"{given}" is neither de nor en.'),
    "bad_size": (
        "„{given}“ ist keine Größe: bitte Breite x Höhe in mm angeben, etwa 510x300.",
        '"{given}" is no size: give width x height in mm, like 510x300.',
    ),
    "bad_corners": (
        "„{given}“ sind keine vier Ecken: bitte vier Paare x,y in Pixeln angeben, im Uhrzeigersinn ab oben links.",
        '"{given}" are not four corners: give four pairs x,y in pixels, clockwise from the top left.',
    ),
    "file_missing": (
        "Die Datei {path} gibt es nicht: bitte den Pfad prüfen.",
        "There is no file {path}: check the path.",
    ),
    "file_is_folder": (
        "{path} ist ein Ordner: bitte eine Datei angeben.",
        "{path} is a folder: give a file.",
    ),
    "not_text": (
        "{path} ist keine Textdatei (UTF-8): bitte eine JSON-Datei angeben.",
        "{path} is no text file (UTF-8): give a JSON file.",
    ),
    "no_command": (
        "{path}, Zeile {line}: ein JSON-Objekt mit der Zeit at_s in Sekunden wird erwartet.",
        "{path}, line {line}: expected a JSON object with its time at_s in seconds.",
    ),
    "not_json": (
        "{path} ist kein gültiges JSON (Zeile {line}, Spalte {column}): bitte die Datei dort berichtigen.",
        "{path} is not valid JSON (line {line}, column {column}): correct the file there.",
    ),
    "in_file": ("{path}: {sentence}", "{path}: {sentence}"),
    "system": ("{path}: {problem}: bitte Pfad und Rechte prüfen.", "{path}: {problem}: check the path and its rights."),
    "demo_missing": (
        "Die mitgelieferte Aufnahme {path} fehlt: bitte schiri neu installieren.",
        "The bundled recording {path} is missing: install schiri again.",
    ),
    "port_taken": (
        "Der Port {port} auf {host} lässt sich nicht öffnen: bitte mit --port einen anderen wählen.",
        "Port {port} on {host} cannot be opened: choose another with --port.",
    ),
    "no_picture": (
        "Die Quelle {source} liefert kein Bild: bitte Kamera, Adresse oder Datei prüfen.",
        "The source {source} delivers no picture: check the camera, the address or the file.",
    ),
    "size_missing": (
        "Zu Ecken gehört die Größe der Spielfläche: bitte --size BxH in mm angeben oder in {where} eintragen.",
        "Corners need the size of the play area: give --size WxH in mm, or enter it in {where}.",
    ),
    "unexpected": (
        "Das hätte nicht passieren dürfen ({what}): bitte melden; mit SCHIRI_DEBUG=1 erscheint der volle Bericht.",
        "That should not have happened ({what}): please report it; SCHIRI_DEBUG=1 shows the full report.",
    ),
    "interrupted": ("Abgebrochen.", "Interrupted."),
    # what goes on
    "page_at": ("Die Seite: {address}", "The page: {address}"),
    "page_in_home": ("Im Heimnetz: {address}", "In the home network: {address}"),
    "code_is": (
        "Code zum Steuern von anderen Geräten: {code}",
        "Code to control the game from other devices: {code}",
    ),
    "stop_with": ("Ende mit Strg+C.", "Ctrl+C ends it."),
    "goes_on": (
        "Ein unterbrochenes Spiel geht weiter ({turns} Züge); mit --new beginnt ein neues.",
        "An interrupted game goes on ({turns} turns); --new begins a new one.",
    ),
    "progress": (
        "{at} von {whole} · {turns} Züge · {speed:.1f}-fach",
        "{at} of {whole} · {turns} turns · {speed:.1f} times real time",
    ),
    "progress_open": ("{at} · {turns} Züge · {speed:.1f}-fach", "{at} · {turns} turns · {speed:.1f} times real time"),
    "turn_line": ("Zug {turn}: {text}", "Turn {turn}: {text}"),
    "legal": ("erlaubt", "legal"),
    "illegal": ("REGELVERSTOSS", "ILLEGAL"),
    "asks": ("Nicht sicher: {why}", "Not sure: {why}"),
    "or": ("    oder: {text}", "    or: {text}"),
    "lost_line": ("Sicht verloren: {why}", "Lost sight: {why}"),
    "found_line": ("Spiel gefunden.", "Game found."),
    "scores_line": ("Punkte: {scores}", "Scores: {scores}"),
    "written": ("Geschrieben: {path}", "Written: {path}"),
    "judged": (
        "{turns} Züge beurteilt, {illegal} davon regelwidrig.",
        "{turns} turns judged, {illegal} of them illegal.",
    ),
    "dice_line": ("{photo}: {dice}", "{photo}: {dice}"),
    "no_dice": ("keine Würfel", "no dice"),
    "colour_red": ("rot", "red"),
    "colour_blue": ("blau", "blue"),
    "colour_green": ("grün", "green"),
    "colour_yellow": ("gelb", "yellow"),
    "colour_orange": ("orange", "orange"),
    "colour_black": ("schwarz", "black"),
    "colour_white": ("weiß", "white"),
    "colour_brown": ("braun", "brown"),
    "colour_purple": ("lila", "purple"),
    "colour_pink": ("rosa", "pink"),
    "calibration": (
        "Spielfläche {width:.0f} x {height:.0f} mm, ein Pixel höchstens {mm:.2f} mm.",
        "Play area {width:.0f} x {height:.0f} mm, a pixel at most {mm:.2f} mm.",
    ),
    "calibration_error": (
        "Fehler {error_px:.2f} px, {error_mm:.2f} mm.",
        "Error {error_px:.2f} px, {error_mm:.2f} mm.",
    ),
    "calibration_unchecked": (
        "Der Fehler ist ohne Marker nicht bekannt.",
        "The error is not known without markers.",
    ),
    **QWIXX_TEXTS,
    **FLICK_TEXTS,
}
