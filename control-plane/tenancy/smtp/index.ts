import { deleteSmtp } from './delete.ts'
import { getSmtp } from './get.ts'
import { testSmtp } from './test.ts'
import { updateSmtp } from './update.ts'

export const smtp = [getSmtp, updateSmtp, deleteSmtp, testSmtp]
