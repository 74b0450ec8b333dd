import type { Pool, PoolClient } from 'pg'

/** The members of a team who take a seat: at least one. */
export async function seatsOf(client: Pool | PoolClient, tenantId: string): Promise<number> {
  const { rows } = await client.query<{ seats: number }>(
    `select greatest(1, count(*))::int as seats from memberships m
     join users u on u.id = m.user_id and not u.is_service where m.tenant_id = $1`,
    [tenantId],
  )
  return rows[0]!.seats
}
