-- finds the incidents that still have the beginning of a response of their target: it leaves after 30 days
create index incidents_with_texts on incidents (confirmed_at)
  where evidence ->> 'snippet' is not null or quorum @? '$.regions.*.excerpt ? (@ != null)';
