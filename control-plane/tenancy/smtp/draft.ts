import { type FieldErrors, invalid } from '#control-plane/base/refusal.ts'
import { type Keyring, mask, noStoredValue } from '#control-plane/base/secrets.ts'
import type { Guard } from '#egress/guard.ts'
import type { SmtpChanges } from './input.ts'
import { decryptPassword, encryptPassword } from './password.ts'
import type { SmtpRow } from './row.ts'

interface Draft {
  tenant: { id: string }
  changes: SmtpChanges
  stored: SmtpRow | null
  keys: Keyring
  guard: Pick<Guard, 'refuseHost'>
}

/** A complete configuration from the changes sent. A stored password is used for its own host only. */
export function draftSmtp({ tenant, changes, stored, keys, guard }: Draft): SmtpRow {
  const errors: FieldErrors = {}
  const host = changes.host ?? stored?.host
  const port = changes.port ?? stored?.port
  const encryption = changes.encryption ?? stored?.encryption
  for (const [name, value] of Object.entries({ host, port, encryption }))
    if (value === undefined) errors[name] = ['Is needed.']
  if (host !== undefined && (changes.host !== undefined || changes.port !== undefined)) {
    const refused = guard.refuseHost(host, port)
    if (refused !== null) errors.host = [refused]
  }
  const kept = stored !== null && stored.host === host ? stored.password : null
  if (changes.password === mask && kept === null)
    errors.password = [
      stored?.password ? 'The stored password was given for another host: send it again for this one.' : noStoredValue,
    ]
  if (Object.keys(errors).length > 0 || host === undefined || port === undefined || encryption === undefined)
    throw invalid(errors)
  return {
    host,
    port,
    encryption,
    username: changes.username === undefined ? (stored?.username ?? null) : changes.username,
    password: draftPassword(keys, tenant.id, changes.password, kept),
    from_address: changes.from_address === undefined ? (stored?.from_address ?? null) : changes.from_address,
    from_name: changes.from_name === undefined ? (stored?.from_name ?? null) : changes.from_name,
  }
}

function draftPassword(
  keys: Keyring,
  tenantId: string,
  given: string | null | undefined,
  kept: string | null,
): string | null {
  if (given === undefined || given === mask) return kept
  if (given === null) return null
  return kept !== null && readPassword(keys, tenantId, kept) === given ? kept : encryptPassword(keys, tenantId, given)
}

/** Null for a password that can no longer be decrypted. */
function readPassword(keys: Keyring, tenantId: string, encrypted: string): string | null {
  try {
    return decryptPassword(keys, tenantId, encrypted)
  } catch {
    return null
  }
}
