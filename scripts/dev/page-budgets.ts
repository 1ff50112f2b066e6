/** Budgets for the JavaScript that a page starts with: KB (1024 bytes) of gzip, and files. */
export const visitors = { budget: 165, filesMax: 26 }
export const members = { budget: 200, filesMax: 45 }
