/** What is lazy-loaded with the first review form or comments. In one chunk, because the entry lists all chunks. */
export { CommentsPanel } from './comments.tsx'
export { ReviewEditor } from './review-editor.tsx'
export { MembersTake } from './share-your-take.tsx'
