import type { IncomingMessage } from 'node:http'
import type { Config } from '#control-plane/config.ts'
import { sessionOf } from './session-cookie.ts'

/**
 * `Cache-Control` of an answer whose endpoint declares none. A browser keeps nothing of what it was shown: after the
 * sign-out the next person at the machine would find it. A program with a token may keep what it reads, for the entity
 * tag saves it the body, and asks each time whether that is still the answer. No cache that is shared keeps either.
 */
export const cachingOf = ({ method, headers }: IncomingMessage, config: Pick<Config, 'baseUrl'>): string =>
  (method === 'GET' || method === 'HEAD') && sessionOf(headers.cookie, config) === undefined
    ? 'private, no-cache'
    : neverKept

/** Of what is shown once, and of every refusal: it is true at this moment. */
export const neverKept = 'no-store'
