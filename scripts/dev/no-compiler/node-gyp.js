#!/usr/bin/env node
// Does nothing: every native package of this project comes with its binaries.
process.exitCode = 0
