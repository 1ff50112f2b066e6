// Part of the chunk of React, so that React DOM is evaluated in the task of that script instead of in that of the entry.
export { createRoot, hydrateRoot } from 'react-dom/client'
