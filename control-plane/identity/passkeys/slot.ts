import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { stepUpPath } from '#control-plane/identity/pages/safe-redirect.ts'
import type { Language } from '#locales/languages.ts'
import { texts } from '#locales/texts.ts'

const browserLibrary = new URL(
  '../dist/bundle/index.umd.min.js',
  `file://${createRequire(import.meta.url).resolve('@simplewebauthn/browser')}`,
)
const version = '14.0.0'

/** The scripts of passkeys by path. The library has its version in its path, and never changes. */
export const scripts = {
  [`/pages/webauthn-${version}.js`]: {
    text: readFileSync(browserLibrary),
    cache: 'public, max-age=31536000, immutable',
  },
  '/pages/passkeys.js': { text: readFileSync(new URL('passkeys.js', import.meta.url)), cache: 'public, max-age=60' },
}

/**
 * The part of a page that a script fills with a button: to sign in and go on to `next`, to confirm an own session, or
 * to add a passkey, as `templates/passkey.liquid` takes it. The page has a form of ours, whose token the script sends
 * too.
 */
export function passkeySlot(language: Language, action: 'sign-in' | 'step-up' | 'add', next: string) {
  const words = texts('pages', language).passkeys
  return {
    action,
    next,
    button: { 'sign-in': words.signIn, 'step-up': words.confirm, add: words.add }[action],
    failed: words.failed,
    stepUp: stepUpPath('/account/passkeys'),
    unsupported: action === 'add' ? words.unsupported : '',
    scripts: Object.keys(scripts),
  }
}
