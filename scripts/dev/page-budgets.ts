/** In KB (1024 bytes) of gzip. */
export const visitors = { budget: 165, filesMax: 17 }
export const members = { budget: 200, filesMax: 30 }
