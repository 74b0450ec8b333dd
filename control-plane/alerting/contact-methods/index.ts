import { createContactMethod } from './create.ts'
import { deleteContactMethod } from './delete.ts'
import { listContactMethods } from './list.ts'
import { testContactMethod } from './test.ts'
import { updateContactMethod } from './update.ts'

export const contactMethods = [
  listContactMethods,
  createContactMethod,
  updateContactMethod,
  deleteContactMethod,
  testContactMethod,
]
