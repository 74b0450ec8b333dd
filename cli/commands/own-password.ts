import { readFileSync } from 'node:fs'
import { StartFault } from '#cli/fault.ts'
import type { OwnServices } from '#cli/serve/services.ts'
import { Refusal } from '#control-plane/base/refusal.ts'
import { refuseWeakPassword } from '#control-plane/identity/users/password-policy.ts'

/** The password in a file, or in standard input for `-`, without its last line end. `fix`: what to type instead. */
export function readPasswordFile(file: string, fix: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    throw new StartFault('config', `${file} cannot be read`, (error as Error).message, fix)
  }
}

/** Refuses a password that the API would refuse. `words`: the names of its owner and team. `fix`: what to type. */
export async function refuseWeak(
  services: OwnServices,
  password: string,
  words: readonly string[],
  fix: string,
): Promise<void> {
  try {
    await refuseWeakPassword(services, 'password', password, words)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new StartFault('config', 'this password will not do', error.errors?.password?.join(' ') ?? error.message, fix)
  }
}
