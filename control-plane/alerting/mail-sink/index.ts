import { getSinkMail } from './get.ts'
import { listSinkMails } from './list.ts'

export const mailSink = [listSinkMails, getSinkMail]
