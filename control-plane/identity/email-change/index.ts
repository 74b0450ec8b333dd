import { confirmEmail } from './confirm.ts'
import { changeEmail } from './request.ts'
import { revertEmail } from './revert.ts'

export const emailChange = [changeEmail, confirmEmail, revertEmail]
