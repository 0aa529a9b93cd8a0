import { configureStore } from '@reduxjs/toolkit';
import { api } from '../.out/rtk-query/api.ts';
import { makeFiveCalls } from './five-calls.ts';

await makeFiveCalls((token) => {
  const { dispatch } = configureStore({
    reducer: { [api.reducerPath]: api.reducer, token: () => token },
    middleware: (getDefaultMiddleware) => getDefaultMiddleware().concat(api.middleware),
  });
  const { createExperienceAssignment, getExperienceAssignments, deleteExperienceAssignment } = api.endpoints;
  const answer = <Data>({ data, error }: { data?: Data; error?: unknown }, success: number) =>
    error ? { status: (error as { status: number }).status } : { status: success, data };
  return {
    assign: async (body) => answer(await dispatch(createExperienceAssignment.initiate({ experienceAssignmentCreate: body })), 201),
    list: async (query) => answer(await dispatch(getExperienceAssignments.initiate(query, { subscribe: false, forceRefetch: true })), 200),
    remove: async (assignmentId) => answer(await dispatch(deleteExperienceAssignment.initiate({ assignmentId })), 204),
  };
});
