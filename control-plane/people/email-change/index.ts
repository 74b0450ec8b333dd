import { confirmEmail } from './confirm.ts'
import { changeEmail } from './request.ts'

export const emailChange = [changeEmail, confirmEmail]
