import type { ServerMetadata } from 'openid-client'
import { z } from 'zod'
import { failureOf } from './failure.ts'
import { type Failure, SsoFailure } from './outcome.ts'
import { type Client, openProvider } from './provider.ts'
import { type ProviderGuard, providerFetch } from './provider-fetch.ts'

export const ProblemView = z
  .object({
    field: z.string().meta({ description: 'A field of the configuration, or `domains`.' }),
    cause: z.string(),
    remedy: z.string(),
  })
  .meta({ id: 'SsoProblem' })
export type Problem = z.infer<typeof ProblemView>

const remedies: Partial<Record<Failure, string>> = {
  blocked: 'Use the public address of the provider.',
  unreachable: 'Check the address, and that the provider can be reached from the internet.',
  timeout: 'Check that the provider can be reached from the internet.',
  bad_answer: 'Check the address: /.well-known/openid-configuration below it must answer with JSON.',
  issuer_mismatch: 'Enter the issuer exactly as the provider names it in /.well-known/openid-configuration.',
}

/** Asks a provider for its description and keys. Returns what is wrong, in words; nothing if all is well. */
export async function examineProvider(guard: ProviderGuard, client: Client): Promise<Problem[]> {
  try {
    const provider = await openProvider(guard, client)
    const server = provider.serverMetadata()
    return [...problemsOf(server, client), ...(await keyProblems(guard, server))]
  } catch (error) {
    const { outcome, detail } = error instanceof SsoFailure ? error : failureOf(error)
    return [{ field: 'issuer', cause: detail, remedy: remedies[outcome] ?? 'Check the address of the provider.' }]
  }
}

const isSigned = (alg: string) => /^(?:[RPE]S\d{3}|EdDSA|Ed25519)$/.test(alg)

function problemsOf(server: ServerMetadata, { clientSecret, scopes }: Client): Problem[] {
  const problems: Problem[] = []
  for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const)
    if (!server[name])
      problems.push({
        field: 'issuer',
        cause: `The provider’s description has no ${name}.`,
        remedy: 'Check that the provider supports OpenID Connect with the authorization code flow.',
      })
  const algs = server.id_token_signing_alg_values_supported
  if (Array.isArray(algs) && !algs.some(alg => isSigned(String(alg))))
    problems.push({
      field: 'issuer',
      cause: 'The provider signs no ID tokens with a key pair.',
      remedy: 'Let the provider sign ID tokens with RS256 or ES256.',
    })
  const methods = server.token_endpoint_auth_methods_supported
  const isPublic = clientSecret === null
  if (Array.isArray(methods) && isPublic && !methods.includes('none'))
    problems.push({
      field: 'client_secret',
      cause: 'The provider takes no clients without a secret.',
      remedy: 'Create a secret for the client there, and enter it.',
    })
  const known = server.scopes_supported
  if (Array.isArray(known))
    for (const scope of scopes)
      if (!known.includes(scope))
        problems.push({
          field: 'scopes',
          cause: `The provider does not name the scope ${JSON.stringify(scope)}.`,
          remedy: 'Remove the scope, or allow it at the provider.',
        })
  return problems
}

const Keys = z.object({ keys: z.array(z.object({ kty: z.string() })).min(1) })

async function keyProblems(guard: ProviderGuard, { jwks_uri: address }: ServerMetadata): Promise<Problem[]> {
  if (!address) return []
  const remedy = 'Check the jwks_uri of the provider’s description.'
  try {
    const reach = providerFetch(guard)
    const options = { method: 'GET', body: undefined, headers: {}, redirect: 'manual' as const }
    const answer = await reach(address, options)
    if (answer.status !== 200)
      return [{ field: 'issuer', cause: `The keys of the provider answer with status ${answer.status}.`, remedy }]
    if (Keys.safeParse(JSON.parse(await answer.text())).success) return []
    return [{ field: 'issuer', cause: 'The provider has no keys.', remedy }]
  } catch (error) {
    if (error instanceof SyntaxError)
      return [{ field: 'issuer', cause: 'The keys of the provider are not JSON.', remedy }]
    return [{ field: 'issuer', cause: failureOf(error).detail, remedy }]
  }
}
