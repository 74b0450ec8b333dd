import { StartFault } from '#cli/fault.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { email, personName } from '#control-plane/identity/users/input.ts'
import { isSetupOpen, makeSetupLink, setupLinkMinutes } from '#control-plane/platform/setup/link.ts'
import { type FirstOperator, setUp } from '#control-plane/platform/setup/set-up.ts'
import { tenantFields } from '#control-plane/reselling/tenants/input.ts'
import { readPasswordFile, refuseWeak } from './own-password.ts'
import { withServices } from './with-services.ts'

const example = 'SETUP_EMAIL=you@example.com SETUP_PASSWORD_FILE=/run/secrets/operator vedette set-up'

/** Prints a link that makes the operator and the first team. An earlier link ends. */
export async function printSetupLink(env: NodeJS.ProcessEnv): Promise<void> {
  await withServices(env, async ({ platform, config }) => {
    const url = await makeSetupLink(platform, config.baseUrl)
    if (url === null)
      throw new StartFault(
        'config',
        'this installation is set up already',
        'It has an operator, who can let others in.',
        'vedette account create --operator you@example.com      makes another operator',
      )
    console.log(url)
    console.error(`\n  Makes the operator and the first team, once, within ${setupLinkMinutes} minutes.\n`)
  })
}

/**
 * Makes the operator and the first team of SETUP_EMAIL, SETUP_PASSWORD_FILE, SETUP_NAME and SETUP_TEAM. Does nothing
 * where there is an operator already.
 */
export async function setUpFromEnvironment(env: NodeJS.ProcessEnv): Promise<void> {
  await withServices(env, async services => {
    if (!(await isSetupOpen(services.platform))) return console.log('set up already: there is an operator')
    const wanted = readWanted(env)
    await refuseWeak(
      services,
      wanted.password,
      [wanted.teamName, wanted.name, wanted.email],
      'SETUP_PASSWORD_FILE=FILE      with a few unrelated words in the file',
    )
    const opened = await inTransaction(services.platform, client => setUp(client, wanted, { token: null }))
    if (opened === 'email_taken')
      throw new StartFault('config', `${wanted.email} has an account`, 'An operator is a new person here.', example)
    console.log(
      typeof opened === 'string'
        ? 'set up already: there is an operator'
        : `${wanted.email}  operator and owner of "${wanted.teamName}" (${opened.tenantId})`,
    )
  })
}

function readWanted(env: NodeJS.ProcessEnv): FirstOperator {
  const { SETUP_EMAIL: address = '', SETUP_PASSWORD_FILE: file } = env
  const named = (name: string, why: string) => new StartFault('config', name, why, example)
  if (address === '') throw named('SETUP_EMAIL is not set', 'The operator signs in with an e-mail address.')
  if (!email.safeParse(address).success)
    throw named(`SETUP_EMAIL "${address}" is no e-mail address`, 'The operator signs in with it.')
  if (!file) throw named('SETUP_PASSWORD_FILE is not set', 'A file holds the password: environments are shown to many.')
  const name = env.SETUP_NAME || address.split('@')[0]!
  const teamName = env.SETUP_TEAM || name
  for (const [variable, schema, value] of [
    ['SETUP_NAME', personName, name],
    ['SETUP_TEAM', tenantFields.name, teamName],
  ] as const)
    if (!schema.safeParse(value).success)
      throw named(`${variable} cannot be used`, 'It has 1 to 255 characters in one line.')
  const password = readPasswordFile(file, example)
  return { name, email: address, password, teamName, language: 'en', timezone: 'UTC' }
}
