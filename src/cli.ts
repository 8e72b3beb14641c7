#!/usr/bin/env node
/** The entry point of `bura`: checks the system before it loads the rest. */
import './supported-system.js';

void import('./commands/main.js');
