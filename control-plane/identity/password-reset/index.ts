import { forgotPassword } from './forgot.ts'
import { resetPassword } from './reset.ts'

export const passwordReset = [forgotPassword, resetPassword]
