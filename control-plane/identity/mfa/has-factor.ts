import { type RawBuilder, sql } from 'kysely'

/** Whether a person has a second factor, as far as the policies of teams ask for one. */
export const hasFactorSql = (user: string): RawBuilder<boolean> =>
  sql`exists (select 1 from second_factors f where f.user_id = ${sql.ref(user)} and f.confirmed_at is not null)`
