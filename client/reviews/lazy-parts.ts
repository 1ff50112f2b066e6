/** Components that are lazy-loaded for members, or with the first comments. They share a chunk, because the entry lists all chunks. */
export { CommentsPanel } from './comments.tsx'
export { DeleteReview } from './delete-review.tsx'
export { ReviewEditor } from './review-editor.tsx'
export { Difference, NetworkHistogram } from './network-histogram.tsx'
export { MembersTake } from './share-your-take.tsx'
