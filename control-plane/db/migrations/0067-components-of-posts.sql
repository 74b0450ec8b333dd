-- A post keeps what it was about after the component is deleted, by the name that it had.
alter table status_page_post_components add column name varchar(255);
update status_page_post_components pc set name = c.name
from status_page_components c where c.id = pc.component_id;
alter table status_page_post_components
  drop constraint status_page_post_components_page_id_component_id_fkey;
