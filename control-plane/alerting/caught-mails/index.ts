import { getCaughtMail } from './get.ts'
import { listCaughtMails } from './list.ts'

export const caughtMails = [listCaughtMails, getCaughtMail]
