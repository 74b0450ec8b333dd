import { listUndeliveredMails } from './list.ts'

export const undeliveredMails = [listUndeliveredMails]
