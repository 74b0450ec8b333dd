import { describe, expect, test } from 'vitest'
import { examineProvider } from '#control-plane/identity/sso/examine.ts'
import { parseAllowList } from '#egress/address.ts'
import { Guard } from '#egress/guard.ts'
import { app, given } from '#test/support/app.ts'
import { json, LyingProvider } from './provider.ts'
import { aTeamWithProvider } from './scene.ts'

const guard = new Guard(parseAllowList('127.0.0.0/8'))
const clientOf = ({ issuer, clientId, clientSecret }: LyingProvider) => ({
  issuer,
  clientId,
  clientSecret,
  scopes: ['openid', 'email', 'profile'],
})

describe('the test of a provider', () => {
  test('finds nothing wrong where all is well', async () => {
    const provider = await LyingProvider.open()
    expect(await examineProvider(guard, clientOf(provider))).toEqual([])
    await provider.close()
  })

  test('names the field, the cause and the remedy', async () => {
    const provider = await LyingProvider.open()
    provider.description = {
      id_token_signing_alg_values_supported: ['HS256'],
      scopes_supported: ['openid'],
      token_endpoint: undefined,
    }
    provider.answers.set('/jwks', response => json(response, 200, { keys: [] }))
    const problems = await examineProvider(guard, { ...clientOf(provider), clientSecret: null })
    expect(problems.map(({ field, cause }) => `${field}: ${cause}`)).toEqual([
      'issuer: The provider’s description has no token_endpoint.',
      'issuer: The provider signs no ID tokens with a key pair.',
      'client_secret: The provider takes no clients without a secret.',
      'scopes: The provider does not name the scope "email".',
      'scopes: The provider does not name the scope "profile".',
      'issuer: The provider has no keys.',
    ])
    for (const { remedy } of problems) expect(remedy).toMatch(/\w/)
    await provider.close()
  })

  test('says when nothing answers, and when the issuer is another', async () => {
    const provider = await LyingProvider.open()
    provider.description = { issuer: 'https://login.example.org' }
    expect(await examineProvider(guard, clientOf(provider))).toMatchObject([
      { field: 'issuer', remedy: /exactly as the provider names it/ },
    ])
    const gone = clientOf(provider)
    await provider.close()
    expect(await examineProvider(guard, gone)).toMatchObject([{ field: 'issuer', cause: /refused|failed/ }])
  })

  test('reaches no private address for a team', async () => {
    const { team, provider } = await aTeamWithProvider()
    const tested = await team.post('/sso/config/test')
    expect(tested.status).toBe(200)
    expect(tested.body.data).toMatchObject({ is_working: false, problems: [{ field: 'issuer' }] })
    expect(provider.asked).toEqual([])
    expect((await (await given.tenant()).post('/sso/config/test')).body.code).toBe('sso_not_set')
    expect(await app.audited(team)).toEqual(['sso_config.tested'])
    await provider.close()
  })
})
