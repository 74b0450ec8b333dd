import { z } from 'zod'
import type { SmtpRow } from './row.ts'

/** The sender address of mail through this server; a user name that is an address serves as one. */
export const senderOf = ({ from_address, username }: Pick<SmtpRow, 'from_address' | 'username'>): string | null =>
  from_address ?? (username !== null && z.email().safeParse(username).success ? username : null)
