import { RunFailure } from '#contract/check.ts'
import { type FieldErrors, invalid } from '#control-plane/base/refusal.ts'
import type { Guard } from '#egress/guard.ts'
import { type BrandingChanges, urlFields } from './fields.ts'
import { refuseSymbol } from './symbol.ts'

/** Parsers disagree on white space, control characters and backslashes; the others could end the surrounding markup. */
const ambiguous = /[\s\\\p{Cc}"<>`{}|^]/u
const resolvePatienceMs = 2_000

/**
 * Refuses URLs that lead to private addresses, as written or as resolved, and a symbol that is no square image. Uses
 * the network: call it before a transaction opens. `prefix` is put before the paths of errors.
 */
export async function validateBranding(guard: Guard, changes: BrandingChanges, prefix = ''): Promise<void> {
  const errors: FieldErrors = {}
  const named = addressesOf(changes)
  for (const { path, url } of named) {
    const error = refuseAddress(guard, url)
    if (error !== null) errors[prefix + path] = [error]
  }
  if (Object.keys(errors).length > 0) throw invalid(errors)

  const signal = AbortSignal.timeout(resolvePatienceMs)
  await Promise.all(
    named.map(async ({ path, url }) => {
      if (await leadsInside(guard, url, signal))
        errors[prefix + path] = ['This name leads to an address that is not public.']
    }),
  )
  if (Object.keys(errors).length === 0 && changes.symbol_url) {
    const error = await refuseSymbol(guard, changes.symbol_url)
    if (error !== null) errors[`${prefix}symbol_url`] = [error]
  }
  if (Object.keys(errors).length > 0) throw invalid(errors)
}

function addressesOf(changes: BrandingChanges): { path: string; url: string }[] {
  const own = urlFields.map(path => ({ path: String(path), url: changes[path] }))
  const offered = Object.entries(changes.upsell_offers ?? {}).map(([feature, offer]) => ({
    path: `upsell_offers.${feature}.url`,
    url: offer?.url,
  }))
  return [...own, ...offered].flatMap(({ path, url }) => (typeof url === 'string' ? [{ path, url }] : []))
}

function refuseAddress(guard: Guard, url: string): string | null {
  if (ambiguous.test(url))
    return 'The address must not contain spaces, quotes, brackets, backslashes or control characters.'
  return /^https?:\/\/[^/]/i.test(url) ? guard.refuseUrl(url) : 'The URL must start with http:// or https://.'
}

/** A name that does not resolve in time counts as public. */
async function leadsInside(guard: Guard, url: string, signal: AbortSignal): Promise<boolean> {
  try {
    await guard.resolve(new URL(url).hostname.replace(/^\[|\]$/g, ''), undefined, signal)
    return false
  } catch (error) {
    return error instanceof RunFailure && error.code === 'blocked'
  }
}
