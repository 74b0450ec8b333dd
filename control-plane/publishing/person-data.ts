import { sql } from 'kysely'
import { stamp } from '#control-plane/db/queries.ts'
import { inReach, type Place, written } from '#control-plane/identity/person-data/places.ts'

/** Data of people in the tables of this module. */
export const publishingPlaces: readonly Place[] = [
  written('status_page_posts', ['title', 'postmortem'], {
    ids: { created_by: 'kept' },
    exports: {
      status_page_posts: id => sql`select id, tenant_id, page_id, title, phase, postmortem,
        ${stamp('created_at')} as created_at
        from status_page_posts where created_by = ${id}::uuid order by status_page_posts.created_at desc`,
    },
  }),
  written('status_page_updates', ['title', 'body'], {
    ids: { created_by: 'kept' },
    exports: {
      status_page_updates: id => sql`select id, tenant_id, post_id, phase, title, body,
        ${stamp('created_at')} as created_at
        from status_page_updates where created_by = ${id}::uuid order by status_page_updates.created_at desc`,
    },
  }),
  {
    table: 'status_page_subscribers',
    texts: ['address'],
    exports: 'Subscriptions are by address, without an account: their mails have a link to see and end them.',
    erases: [
      it => sql`delete from status_page_subscribers where channel = 'email' and ${inReach(it)}
       and address_hash in (select decode(h, 'hex') from unnest(${it.hashes}::text[]) h)`,
    ],
  },
  written('status_pages', ['name', 'description']),
  written('status_page_groups', ['name']),
  written('status_page_components', ['name', 'description']),
  written('status_page_update_templates', ['name', 'title', 'body']),
]
