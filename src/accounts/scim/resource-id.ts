const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a person or a group can have this id. Letter case has no meaning. */
export const isResourceId = (text: string): boolean => uuid.test(text);
