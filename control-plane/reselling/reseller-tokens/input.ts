import { z } from 'zod'
import { resellerScopes } from '#contract/scopes.ts'
import { expiresAt, scopesOf, tokenName } from '#control-plane/access/tokens/input.ts'

export const NewResellerToken = z.object({ name: tokenName, scopes: scopesOf(resellerScopes), expires_at: expiresAt })
