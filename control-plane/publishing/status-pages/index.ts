import { createComponent } from './components/create.ts'
import { deleteComponent } from './components/delete.ts'
import { getComponent, listComponents } from './components/list.ts'
import { orderComponents } from './components/order.ts'
import { updateComponent } from './components/update.ts'
import { createStatusPage } from './create.ts'
import { deleteStatusPage } from './delete.ts'
import { getStatusPage } from './get.ts'
import { createGroup } from './groups/create.ts'
import { deleteGroup } from './groups/delete.ts'
import { getGroup, listGroups } from './groups/list.ts'
import { orderGroups } from './groups/order.ts'
import { updateGroup } from './groups/update.ts'
import { listStatusPages } from './list.ts'
import { createPost } from './posts/create.ts'
import { deletePost } from './posts/delete.ts'
import { getPost, listPosts } from './posts/list.ts'
import { deletePostmortem, setPostmortem } from './posts/postmortem.ts'
import { updatePost } from './posts/update.ts'
import { editPostUpdate, listPostUpdates, postUpdate } from './posts/updates.ts'
import { previewText } from './preview.ts'
import { previewStatusPage } from './preview-page.ts'
import { updateStatusPage } from './update.ts'
import { createStatusPageTemplate } from './update-templates/create.ts'
import { fillStatusPageTemplate } from './update-templates/fill.ts'
import { getStatusPageTemplate, listStatusPageTemplates } from './update-templates/list.ts'
import { deleteStatusPageTemplate, updateStatusPageTemplate } from './update-templates/update.ts'

export const statusPages = [
  listStatusPages,
  createStatusPage,
  previewText,
  getStatusPage,
  previewStatusPage,
  updateStatusPage,
  deleteStatusPage,
  listGroups,
  createGroup,
  orderGroups,
  getGroup,
  updateGroup,
  deleteGroup,
  listComponents,
  createComponent,
  orderComponents,
  getComponent,
  updateComponent,
  deleteComponent,
  listPosts,
  createPost,
  getPost,
  updatePost,
  deletePost,
  listPostUpdates,
  postUpdate,
  editPostUpdate,
  setPostmortem,
  deletePostmortem,
  listStatusPageTemplates,
  createStatusPageTemplate,
  getStatusPageTemplate,
  updateStatusPageTemplate,
  deleteStatusPageTemplate,
  fillStatusPageTemplate,
]
