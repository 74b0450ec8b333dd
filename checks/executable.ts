import { accessSync, constants } from 'node:fs'

/** Whether the path is a program that this process may execute. */
export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
