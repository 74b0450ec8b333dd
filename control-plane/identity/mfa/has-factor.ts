/** SQL: whether a person has a second factor, as far as the policies of teams ask for one. */
export const hasFactorSql = (user: string): string =>
  `exists (select 1 from second_factors f where f.user_id = ${user} and f.confirmed_at is not null)`
