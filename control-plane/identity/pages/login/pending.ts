import { hash } from 'node:crypto'
import type { Context } from 'koa'
import { z } from 'zod'
import { Refusal } from '#control-plane/base/refusal.ts'
import { decryptSecret, encryptSecret, UnreadableSecret } from '#control-plane/base/secrets.ts'
import { type Row, rows } from '#control-plane/db/queries.ts'
import type { Services } from '#control-plane/http/services.ts'
import { cookieOf, hostCookie, nameOfHostCookie } from '#control-plane/http/session-cookie.ts'
import { browserNonce } from '#control-plane/identity/pages/form.ts'

const cookie = 'vedette-login'
const purpose = 'pending login'
const lifeS = 300

const Encrypted = z.object({
  userId: z.uuid(),
  origin: z.object({ place: z.string(), isKnown: z.boolean(), network: z.string().exactOptional() }),
  /** A second factor is still to be shown. */
  needsFactor: z.boolean(),
  /** What proved the person so far. */
  method: z.enum(['password', 'passkey', 'login_link']),
  /** This browser is to be asked for no code for thirty days. */
  trusts: z.boolean(),
  /** Of the password that was shown: a change of it ends this. */
  mark: z.string(),
  next: z.string(),
  endsAtMs: z.number(),
})

/** A sign-in under way: the person is proven by the first factor at least, and there is no session yet. */
export type PendingLogin = Omit<z.output<typeof Encrypted>, 'mark' | 'endsAtMs'>

/** The sign-in is not under way, or took more than five minutes. */
export const signInOver = () => new Refusal(403, 'sign_in_over', 'Begin the sign-in again.')

const markOf = ({ password_hash }: Row<'users', 'password_hash'>) =>
  hash('sha256', `pending login\0${password_hash}`, 'base64url').slice(0, 22)

async function accountOf({ platform }: Services, userId: string) {
  const [row] = await rows(platform)<Row<'users', 'password_hash'>>`
    select password_hash from users where id = ${userId}`
  return row
}

/** Keeps it for five minutes in a encrypted cookie of this browser, which another browser cannot use. */
export async function storePending(services: Services, context: Context, login: PendingLogin): Promise<void> {
  const { config, clock } = services
  const account = await accountOf(services, login.userId)
  if (!account) throw signInOver()
  const text = JSON.stringify({ ...login, mark: markOf(account), endsAtMs: clock.nowMs() + lifeS * 1_000 })
  const encrypted = encryptSecret(config, purpose, browserNonce(context, config), text)
  context.append('Set-Cookie', hostCookie(config, cookie, encrypted, `Max-Age=${lifeS}`))
}

/** The sign-in that is under way in this browser. */
export async function pendingLogin(services: Services, context: Context): Promise<PendingLogin> {
  const { config, clock } = services
  const encrypted = cookieOf(context.req.headers.cookie, nameOfHostCookie(config, cookie))
  if (encrypted === undefined) throw signInOver()
  try {
    const { mark, endsAtMs, ...login } = Encrypted.parse(
      JSON.parse(decryptSecret(config, purpose, browserNonce(context, config), encrypted)),
    )
    const account = await accountOf(services, login.userId)
    if (endsAtMs <= clock.nowMs() || !account || markOf(account) !== mark) throw signInOver()
    return login
  } catch (error) {
    if (error instanceof UnreadableSecret) throw signInOver()
    throw error
  }
}

export const endPending = ({ config }: Services, context: Context): void =>
  context.append('Set-Cookie', hostCookie(config, cookie, '', 'Max-Age=0'))
