import { z } from 'zod'
import type { SmtpRow } from './row.ts'

/** In whose name mail leaves by this server: a user name that is an address sends in its own. */
export const senderOf = ({ from_address, username }: Pick<SmtpRow, 'from_address' | 'username'>): string | null =>
  from_address ?? (username !== null && z.email().safeParse(username).success ? username : null)
