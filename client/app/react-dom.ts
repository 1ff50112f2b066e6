import * as client from 'react-dom/client'

// A constant, so that React DOM is evaluated in a task of its own: a re-export is resolved at build time and would be evaluated where it is
// used.
export const reactDom = client
