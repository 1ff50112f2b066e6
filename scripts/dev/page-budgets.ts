/** In KB (1024 bytes) of gzip. One more than before the app had languages, which may cost 3 (docs/decisions/0051-languages.md). */
export const visitors = { budget: 166, filesMax: 17 }
export const members = { budget: 200, filesMax: 30 }
