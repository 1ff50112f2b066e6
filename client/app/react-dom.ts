import * as client from 'react-dom/client'

// Part of the chunk of React, so that React DOM is evaluated in a task of its own instead of the app’s: a constant, because
// a re-export is resolved when the client is built, and would be evaluated where it is used.
export const reactDom = client
