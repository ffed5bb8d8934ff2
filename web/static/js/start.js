// The start page.

import { startPage } from "./shell.js";

startPage();
