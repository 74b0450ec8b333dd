import { hash, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import { hashSecret, linkTokenShape } from '#control-plane/base/token-secret.ts'
import { type Row, rows } from '#control-plane/db/queries.ts'

/** Wrong codes for one link; it can still be opened after them. */
export const mostGuesses = 3

export const browserHashOf = (nonce: string): Buffer => hash('sha256', `login link\0${nonce}`, 'buffer')
/** With the random text of the browser, which is not stored: the code alone could be found by trying all of them. */
export const codeHashOf = (nonce: string, code: string): Buffer =>
  hash('sha256', `login link\0${nonce}\0${code}`, 'buffer')

/** A person whose mailbox is proven by a link or its code. */
export interface LinkUse {
  userId: string
  hasFactor: boolean
  next: string
}

type Used = Row<'login_links', 'user_id' | 'next'> & { has_factor: boolean }

/**
 * Uses a link up, in the browser that asked for it; null: it is unknown, used, too old, or of another browser, which
 * uses nothing up. Of many requests at once one finds it.
 */
export async function useLink(platform: Pool, token: string, nonce: string): Promise<LinkUse | null> {
  return linkTokenShape.test(token) ? spendLink(platform, hashSecret(token), nonce) : null
}

async function spendLink(platform: Pool, tokenHash: Buffer, nonce: string): Promise<LinkUse | null> {
  const [used] = await rows(platform)<Used>`
    update login_links l set expires_at = clock_timestamp() from users u
    where l.token_hash = ${tokenHash} and l.browser_hash = ${browserHashOf(nonce)}
    and l.expires_at > clock_timestamp()
      and u.id = l.user_id and u.email = l.email and u.email_verified_at is not null
    returning l.user_id, l.next, exists (
      select 1 from second_factors f where f.user_id = u.id and f.confirmed_at is not null) as has_factor`
  return used ? { userId: used.user_id, hasFactor: used.has_factor, next: used.next } : null
}

/** As `useLink`, by the code of the mail. Each call counts as a guess before the code is compared. */
export async function useCode(platform: Pool, code: string, nonce: string): Promise<LinkUse | null> {
  const stored = await rows(platform)<Row<'login_links', 'token_hash' | 'code_hash'>>`
    update login_links set code_guesses = code_guesses + 1
    where browser_hash = ${browserHashOf(nonce)} and expires_at > clock_timestamp()
    and code_guesses < ${sql.lit(mostGuesses)} returning token_hash, code_hash`
  const wanted = codeHashOf(nonce, code.replace(/\s/g, ''))
  const found = stored.find(row => timingSafeEqual(wanted, Buffer.from(row.code_hash)))
  return found ? spendLink(platform, Buffer.from(found.token_hash), nonce) : null
}
