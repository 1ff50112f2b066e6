/** Lazy-loaded, because they need zod. */
export {
  createAccessToken,
  forgotPassword,
  register,
  resetPassword,
  updateProfile,
} from '#shared/contracts/accounts.ts'
export { createWebhook } from '#shared/contracts/webhooks.ts'
