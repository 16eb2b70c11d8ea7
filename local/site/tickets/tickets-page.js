// Page: to be written.

import "../elements/site-header.js";
