// For pages that need nothing but the header.

import { startPage } from "./shell.js";

startPage();
