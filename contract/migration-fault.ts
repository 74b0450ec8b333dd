/** A store that cannot be brought up to date as it is: what is wrong, why, and what to type. */
export class MigrationFault extends Error {
  override readonly name = 'MigrationFault'
  readonly why: string
  readonly fixes: string[]

  constructor(what: string, why: string, ...fixes: string[]) {
    super(what)
    this.why = why
    this.fixes = fixes
  }
}

/** The file of a migration is not what it was when it was applied. */
export const changedMigration = (store: string, name: string) =>
  new MigrationFault(
    `the migration ${name} was changed after it was applied to ${store}`,
    'What it would do now is not what it did, so the schema is not known.',
    'put the file back as it was, and write a new migration for the change',
  )

/** The store has migrations that this version does not have. */
export const unknownMigration = (store: string, name: string) =>
  new MigrationFault(
    `${store} has the migration ${name}, which this version does not know`,
    'It was made by a newer version, or by one from before the first release.',
    'start the version that made it',
    'or begin with empty stores: mv .data .data.old && npm start',
  )
