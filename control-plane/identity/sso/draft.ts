import { type FieldErrors, invalid } from '#control-plane/base/refusal.ts'
import { type Keyring, mask, noStoredValue } from '#control-plane/base/secrets.ts'
import type { Guard } from '#egress/guard.ts'
import { decryptClientSecret, encryptClientSecret } from './client-secret.ts'
import type { ConfigChanges } from './input.ts'
import { isWithoutTls } from './provider.ts'
import type { ConfigRow } from './row.ts'
import { readCertificates } from './saml/certificates.ts'
import { metadataPath } from './saml/request.ts'

interface Draft {
  baseUrl: string
  tenantId: string
  changes: ConfigChanges
  stored: ConfigRow | null
  keys: Keyring
  guard: Pick<Guard, 'refuseUrl'>
}

/**
 * The configuration after these changes. The stored client secret is not carried over to another provider, or its
 * operator could read it. Throws a 422 on the fields at fault.
 */
export function draftConfig({ baseUrl, tenantId, changes, stored, keys, guard }: Draft): ConfigRow {
  const { protocol = stored?.protocol ?? 'oidc', issuer = stored?.issuer } = changes
  const ofProtocol = stored?.protocol === protocol ? stored : null
  const isSaml = protocol === 'saml'
  const { client_id = ofProtocol?.client_id ?? (isSaml ? `${baseUrl}${metadataPath}` : undefined) } = changes
  if (issuer === undefined || client_id === undefined)
    throw invalid({
      ...(issuer === undefined && { issuer: ['Is needed at first.'] }),
      ...(client_id === undefined && { client_id: ['Is needed at first.'] }),
    })
  const isKept = ofProtocol?.issuer === issuer && ofProtocol.client_id === client_id
  if (changes.client_secret === mask && (!isKept || !ofProtocol.client_secret))
    throw invalid({ client_secret: [noStoredValue] })
  const why = isSaml || issuer === ofProtocol?.issuer ? null : whyRefused(issuer, guard)
  if (why !== null) throw invalid({ issuer: [why] })
  const draft: ConfigRow = {
    protocol,
    ...samlOf(isSaml, changes, ofProtocol),
    issuer,
    client_id,
    client_secret: isSaml ? null : secretOf({ tenantId, changes, stored: isKept ? ofProtocol : null, keys }),
    scopes: changes.scopes ?? ofProtocol?.scopes ?? ['openid', 'email', 'profile'],
    groups_claim: changes.groups_claim === undefined ? (stored?.groups_claim ?? null) : changes.groups_claim,
    role_map: changes.role_map ?? stored?.role_map ?? {},
    default_role: changes.default_role ?? stored?.default_role ?? 'member',
    is_jit: changes.is_jit ?? stored?.is_jit ?? true,
    is_enabled: changes.is_enabled ?? stored?.is_enabled ?? false,
    is_enforced: changes.is_enforced ?? stored?.is_enforced ?? false,
    break_glass_user_id:
      changes.break_glass_user_id === undefined ? (stored?.break_glass_user_id ?? null) : changes.break_glass_user_id,
  }
  refuseContradictions(draft)
  return draft
}

/** What only a SAML provider has. */
function samlOf(isSaml: boolean, changes: ConfigChanges, stored: ConfigRow | null) {
  if (!isSaml) return { sign_in_url: null, certificates: [], email_attribute: null }
  const { sign_in_url = stored?.sign_in_url ?? null, email_attribute = stored?.email_attribute ?? null } = changes
  return {
    sign_in_url,
    email_attribute,
    certificates: changes.certificates ? readCertificates(changes.certificates) : (stored?.certificates ?? []),
  }
}

type SecretDraft = Pick<Draft, 'tenantId' | 'changes' | 'stored' | 'keys'>

/** The secret to store; one that is sent again as it is keeps its stored form. */
function secretOf({ tenantId, changes: { client_secret: sent }, stored, keys }: SecretDraft): string | null {
  const kept = stored?.client_secret ?? null
  if (sent === undefined || sent === mask) return kept
  if (sent === null) return null
  return kept !== null && isSame(keys, tenantId, kept, sent) ? kept : encryptClientSecret(keys, tenantId, sent)
}

function isSame(keys: Keyring, tenantId: string, kept: string, sent: string): boolean {
  try {
    return decryptClientSecret(keys, tenantId, kept) === sent
  } catch {
    return false
  }
}

function whyRefused(issuer: string, guard: Draft['guard']): string | null {
  const url = new URL(issuer)
  if (url.search || url.hash || issuer.includes('?') || issuer.includes('#'))
    return 'Must be an address without a query and a fragment.'
  if (url.protocol !== 'https:' && !isWithoutTls(issuer)) return 'Must start with https://.'
  return guard.refuseUrl(issuer)
}

function refuseContradictions(draft: ConfigRow): void {
  const errors: FieldErrors = {}
  const { protocol, sign_in_url, certificates } = draft
  if (protocol === 'saml' && sign_in_url === null) errors.sign_in_url = ['Is needed with SAML.']
  if (sign_in_url?.startsWith('http:') && !isWithoutTls(sign_in_url)) errors.sign_in_url = ['Must start with https://.']
  if (protocol === 'saml' && certificates.length === 0) errors.certificates = ['Is needed with SAML.']
  if (draft.is_enforced && !draft.is_enabled) errors.is_enforced = ['Needs is_enabled.']
  if (draft.is_enforced && draft.break_glass_user_id === null)
    errors.break_glass_user_id = ['Is needed while single sign-on is enforced.']
  if (Object.keys(draft.role_map).length > 0 && draft.groups_claim === null)
    errors.groups_claim = ['Is needed for role_map.']
  if (Object.keys(errors).length > 0) throw invalid(errors)
}
