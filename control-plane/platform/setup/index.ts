import { createSetup } from './create.ts'
import { getSetup } from './get.ts'

export const setup = [getSetup, createSetup]
