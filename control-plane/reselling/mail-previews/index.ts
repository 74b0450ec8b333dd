import { getMailPreview, showMailPreview } from './get.ts'

export const mailPreviews = [getMailPreview, showMailPreview]
