#!/usr/bin/env node
/** The entry of the `bura` command: the system is checked first, and only then is the rest loaded. */
import './supported-system.js';

void import('./commands/main.js');
