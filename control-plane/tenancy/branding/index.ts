import { getBranding } from './get.ts'
import { updateBranding } from './update.ts'

export const branding = [getBranding, updateBranding]
