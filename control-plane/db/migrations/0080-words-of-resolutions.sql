-- how an incident ended, in the words of the product. A process of the version before goes on to write its own ones
-- while both run, and reads the new ones as null; messages and audit entries keep the words of their day
update incidents set resolution = case resolution when 'auto' then 'recovered' else 'by_hand' end
where resolution in ('auto', 'manual');

create function rename_resolution() returns trigger language plpgsql as $$
begin
  new.resolution := case new.resolution when 'auto' then 'recovered' else 'by_hand' end;
  return new;
end $$;
create trigger incidents_rename_resolution before insert or update of resolution on incidents for each row
  when (new.resolution in ('auto', 'manual')) execute function rename_resolution();
