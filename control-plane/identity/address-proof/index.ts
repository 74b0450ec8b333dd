import { requestVerification } from './request.ts'
import { verifyEmail } from './verify.ts'

export const addressProof = [requestVerification, verifyEmail]
