import { createPasskey } from './create.ts'
import { deletePasskey } from './delete.ts'
import { listPasskeys } from './list.ts'
import { startSignIn } from './sign-in-options.ts'
import { startPasskey } from './start.ts'
import { updatePasskey } from './update.ts'
import { signInByPasskey } from './verify.ts'

export const passkeys = [
  startSignIn,
  signInByPasskey,
  startPasskey,
  createPasskey,
  listPasskeys,
  updatePasskey,
  deletePasskey,
]
