// generator/frontend/Reachability.cpp: follows references, depth first, in the order of the user's text.
#include "Reachability.hpp"

#include "Captures.hpp"
#include "Names.hpp"
#include "Specializations.hpp"
#include "WrittenDeclarations.hpp"

#include <clang/AST/DeclTemplate.h>

namespace foldwise {

using namespace clang;

// ---- Where a search begins ------------------------------------------------------------------------------------------

void Reachability::beginKernel() {
    walked_ = {};
    kernel_ = {};
}

void Reachability::reachBody(const FunctionDecl& body) {
    walk(body, Way());
    if (const FunctionDecl* pattern = body.getTemplateInstantiationPattern()) {
        walk(*pattern, Way());  // for what only the text names, such as a branch of `if constexpr` that is not taken
        if (const FunctionTemplateDecl* generic = pattern->getDescribedFunctionTemplate()) walk(*generic, Way());
    }
    reachUnresolved(Way());
}

void Reachability::reach(const Callable& callable, const FunctionDecl& body) {
    if (callable.holder) use(*callable.holder, callable.place, Way());
    reachConstants(callable.constants, Way());
    if (callable.expression) reach(*callable.expression);
    if (callable.kind == Callable::Kind::Lambda) return reachBody(body);
    // A name such as `many<Tag>` is written with its arguments.
    if (const TemplateArgumentList* arguments = body.getTemplateSpecializationArgs()) reachArguments(*arguments);
    use(body, callable.place, Way());
    reachUnresolved(Way());
}

void Reachability::reach(const Expr& expression, Way way) {
    walk(referencesIn(expression, decisions_.includes()), {nullptr, way.isConstraint});
    reachUnresolved(way);
}

void Reachability::reach(QualType type, Way way) {
    way.route = nullptr;
    type = type.getNonReferenceType().getCanonicalType();
    const TagDecl* tag = type->getAsTagDecl();
    if (!tag) return;
    use(*tag, tag->getLocation(), way);
    const auto* special = dyn_cast<ClassTemplateSpecializationDecl>(tag);
    if (!special) return;
    for (const TemplateArgument& argument : special->getTemplateArgs().asArray()) {
        const bool isPack = argument.getKind() == TemplateArgument::Pack;
        for (const TemplateArgument& one : isPack ? argument.getPackAsArray() : llvm::ArrayRef(argument))
            if (one.getKind() == TemplateArgument::Type) reach(one.getAsType(), way);
    }
}

void Reachability::reachArguments(const TemplateArgumentList& list) {
    for (const TemplateArgument& argument : list.asArray()) {
        const bool isPack = argument.getKind() == TemplateArgument::Pack;
        for (const TemplateArgument& one : isPack ? argument.getPackAsArray() : llvm::ArrayRef(argument)) {
            if (one.getKind() == TemplateArgument::Type) reach(one.getAsType());
            if (one.getKind() == TemplateArgument::Integral) reach(one.getIntegralType());
            if (one.getKind() == TemplateArgument::StructuralValue) reach(one.getStructuralValueType());
            if (one.getKind() == TemplateArgument::Declaration) reach(one.getParamTypeForDecl());
        }
    }
}

void Reachability::reachConstants(llvm::ArrayRef<OuterConstant> constants, Way way) {
    for (const OuterConstant& constant : constants) {
        if (constant.lambda)
            reach(*constant.lambda, way);
        else
            reach(constant.variable->getType(), way);
    }
}

/// Reaches what unresolved names may mean: what a qualified name means has to exist, even if it is never called.
void Reachability::reachUnresolved(Way way) {
    for (std::size_t i = 0; i < unresolved_.size(); ++i) {  // more may come on the way
        const auto [name, isConstraint] = unresolved_[i];
        std::vector<const NamedDecl*> candidates;
        bool resolved = false;
        for (const NamedDecl* found : name->decls()) {
            carryFoundBy(*found, way);
            const NamedDecl* candidate = found->getUnderlyingDecl();
            if (!candidate->getDeclContext()->isFileContext() || !decisions_.isUsers(*candidate)) continue;
            candidates.push_back(candidate);
            resolved |= reached_.declarations.contains(namespaceMember(*candidate));
        }
        for (const NamedDecl* candidate : candidates)
            if (!resolved || (isConstraint && isa<VarTemplateDecl>(candidate)))
                carry(*candidate, {nullptr, isConstraint});
    }
    unresolved_.clear();
}

// ---- What becomes of references -------------------------------------------------------------------------------------

Reachability::Way Reachability::step(SourceLocation at, Way way) {
    reached_.routes.push_back({at, way.route});
    return {&reached_.routes.back(), way.isConstraint};
}

void Reachability::refuse(SourceLocation at, Way way, Refused why) {
    reached_.refusals.push_back({at, way.route, std::move(why)});
}

void Reachability::walk(const Decl& declaration, Way way) {
    if (!(way.isConstraint ? walked_.constraints : walked_.declarations).insert(&declaration).second) return;
    const Descent descent(nestings_, declaration, depth_);
    if (!descent.hasRoom())  // without the way here, which is as long
        return refuse(descent.nesting().deepest, Way(),
                      {Message::TooDeep, std::to_string(depth_) +
                                             " levels with the functions that lead here, and there is room for " +
                                             std::to_string(mostLevels)});
    walk(referencesIn(declaration, decisions_.includes()), way);
}

void Reachability::walk(const std::vector<Reference>& references, Way way) {
    for (const Reference& reference : references) {
        const Way here{way.route, way.isConstraint || reference.isInConstraint};
        std::visit([&](const auto& what) { meet(what, here); }, reference.what);
    }
}

void Reachability::meet(const reference::Use& one, Way way) { use(*one.declaration, one.at, way); }

void Reachability::meet(const reference::Mention& mention, Way way) {
    const auto* function = dyn_cast<FunctionDecl>(mention.declaration);
    if (!function || decisions_.purpose() == SliceFor::Header) return use(*mention.declaration, mention.at, way);
    const Decision decision = decisions_.ofMentioned(*function);
    if (const auto* included = std::get_if<decision::Include>(&decision)) return include(*included, mention.at, way);
    // nvcc tells a result that is deduced to device code alone, unless the function is the host's as well.
    if (function->getDeclaredReturnType()->getContainedDeducedType())
        reached_.hostFunctions.insert(&cast<FunctionDecl>(*written(*function).getCanonicalDecl()));
    const FunctionDecl* definition = nullptr;
    carry(function->isDefined(definition) ? *definition : *function, step(mention.at, way));
}

void Reachability::meet(const reference::Object& object, Way way) {
    if (std::optional<Refused> why = decisions_.asObject(*object.variable)) refuse(object.at, way, std::move(*why));
}

void Reachability::meet(const reference::FoundBy& found, Way way) { carryFoundBy(*found.declaration, way); }

void Reachability::meet(const reference::FunctionName& function, Way way) {
    if (std::optional<Refused> why = names_.addFunction(*function.name))
        refuse(function.name->getLocation(), way, std::move(*why));
}

void Reachability::meet(const reference::Unqualified& name, Way) { names_.addUnqualified(*name.declaration, name.at); }

void Reachability::meet(const reference::GlobalScope& scope, Way) { names_.addScope(scope.colons); }

void Reachability::meet(const reference::Unresolved& unresolved, Way way) {
    unresolved_.emplace_back(unresolved.name, way.isConstraint);
}

void Reachability::meet(const reference::LambdaName& lambda, Way) {
    if (lambda.inConstants) reached_.lambdas.inConstants.insert(lambda.variable);
    if (lambda.within) reached_.lambdas.within[lambda.within].insert(lambda.variable);
}

void Reachability::meet(const reference::Construct& construct, Way way) {
    refuse(construct.at, way, {construct.message, construct.what.str()});
}

void Reachability::meet(const reference::ClangsTrait& trait, Way way) {
    const std::string name = getTraitSpelling(trait.trait);
    refuse(trait.at, way, {Message::NotInDeviceCode, "'" + name + "', which only Clang has,"});
}

// ---- Uses -----------------------------------------------------------------------------------------------------------

void Reachability::use(const NamedDecl& declaration, SourceLocation at, Way way) {
    Decision decision = decisions_.of(declaration);
    if (auto* refused = std::get_if<Refused>(&decision)) return refuse(at, way, std::move(*refused));
    if (const auto* included = std::get_if<decision::Include>(&decision)) return include(*included, at, way);
    const bool isCarried = std::holds_alternative<decision::Carry>(decision);
    if (const auto* function = dyn_cast<FunctionDecl>(&declaration)) {
        if (isCarried) return useFunction(*function, at, way);
        return walk(*function, way);  // a lambda's, whose text is part of what holds it
    }
    if (const auto* variable = dyn_cast<VarDecl>(&declaration); variable && isCarried)
        return useVariable(*variable, way);
    if (const auto* binding = dyn_cast<BindingDecl>(&declaration); binding && isCarried)
        return useBinding(*binding, way);
    if (isCarried) carry(declaration, step(at, way));
    if (const auto* record = dyn_cast<ClassTemplateSpecializationDecl>(&declaration)) useBases(*record, at, way);
}

/// Bases of an instantiation may be specializations that the template's text does not name.
void Reachability::useBases(const ClassTemplateSpecializationDecl& record, SourceLocation at, Way way) {
    if (!record.hasDefinition() || !walked_.declarations.insert(&record).second) return;
    for (const CXXBaseSpecifier& base : record.bases())
        if (const CXXRecordDecl* type = base.getType()->getAsCXXRecordDecl()) use(*type, at, way);
}

void Reachability::useFunction(const FunctionDecl& function, SourceLocation at, Way way) {
    const FunctionDecl* definition = nullptr;
    if (!cast<FunctionDecl>(written(function)).isDefined(definition)) return carry(function, way);
    // Before it is carried, which goes through it as well: the way here belongs to what is wrong in it.
    const Way inside = step(at, way);
    const FunctionDecl* instantiated = nullptr;
    if (function.isDefined(instantiated)) walk(*instantiated, inside);
    const FunctionTemplateDecl* primary = definition->getPrimaryTemplate();
    const FunctionDecl* templated = primary ? primary->getTemplatedDecl() : nullptr;
    for (const FunctionDecl* declared : definition->redecls()) {
        // An explicit specialization's first declaration is one that the template implied: the template stands there.
        const bool implied = templated && declared->getInnerLocStart() == templated->getInnerLocStart();
        carry(implied ? *templated : *declared, inside);
    }
}

void Reachability::useVariable(const VarDecl& variable, Way way) {
    if (heldLambda(variable)) {
        const CXXRecordDecl& lambda = *variable.getType()->getAsCXXRecordDecl();
        if (const auto captures = capturesAsConstants(lambda)) reachConstants(*captures, way);
        return carry(variable, way);
    }
    carry(variable, way);
    walk(variable, way);  // an instantiation's initializer may lead to specializations
}

/// A name of a structured binding at namespace scope becomes a constant of its own: CUDA has no structured bindings in
/// device memory.
void Reachability::useBinding(const BindingDecl& binding, Way way) {
    reach(binding.getType(), way);
    kernel_.declarations.insert(&binding);
    reached_.declarations.try_emplace(&binding, way.route);
}

void Reachability::include(const decision::Include& included, SourceLocation at, Way way) {
    if (included.library) kernel_.library.try_emplace(included.library->name, included.library->source);
    reached_.headers.insert(included.headers.begin(), included.headers.end());
    reached_.libraryNamespaces.insert(included.namespaces.begin(), included.namespaces.end());
    for (const FunctionDecl* callback : included.callbacks) useCallback(*callback, at, way);
}

/// Reaches a function that a library calls, which has to be the host's as well, as the library's own functions are. Of
/// a function that the compiler writes, the same holds for all that it calls.
void Reachability::useCallback(const FunctionDecl& function, SourceLocation at, Way way) {
    use(function, at, way);
    // A lambda that a variable holds becomes a member function; any other stays a lambda.
    const auto* method = dyn_cast<CXXMethodDecl>(&function);
    const bool isLambda = method && method->getParent()->isLambda();
    if (isLambda && !method->getParent()->getDeclContext()->isFileContext()) return;
    if (!reached_.hostFunctions.insert(&cast<FunctionDecl>(*written(function).getCanonicalDecl())).second) return;
    const FunctionDecl* definition = nullptr;
    if (!function.isDefined(definition)) return;
    const Callees callees = calleesOf(*definition);
    if (std::optional<Refused> why = decisions_.asCallback(function, callees)) return refuse(at, way, std::move(*why));
    if (!function.isImplicit() && !function.isDefaulted()) return;
    for (const FunctionDecl* callee : callees.functions)
        if (decisions_.isUsers(*callee)) useCallback(*callee, at, way);
}

// ---- What is carried along ------------------------------------------------------------------------------------------

void Reachability::carry(const Decl& declaration, Way way) {
    const Decl* member = namespaceMember(written(declaration));
    if (!member) return;
    if (const auto* record = dyn_cast<CXXRecordDecl>(member); record && record->isLambda()) return;
    if (const auto* named = dyn_cast<NamedDecl>(&declaration)) {
        if (std::optional<Refused> why = decisions_.outOfNamespace(*named, *member))
            return refuse(member->getLocation(), way, std::move(*why));
        if (isReserved(*named)) refuse(member->getLocation(), Way(), {Message::ReservedName, "device"});
    }
    const std::vector<const Decl*> together = writtenTogether(*member);
    member = together.back();
    kernel_.declarations.insert(member);
    if (reached_.declarations.try_emplace(member, way.route).second) {
        if (const auto* special = dyn_cast<ClassTemplateSpecializationDecl>(member))
            carry(*special->getSpecializedTemplate(), way);
        if (const auto* special = dyn_cast<VarTemplateSpecializationDecl>(member))
            carry(*special->getSpecializedTemplate(), way);
        // What names a type before it is complete needs its earlier declarations too.
        if (isa<TagDecl, ClassTemplateDecl>(member))
            for (const Decl* declared : member->redecls())
                if (const Decl* other = namespaceMember(*declared)) carryText(*other, way);
        if (const auto* classTemplate = dyn_cast<ClassTemplateDecl>(member)) carryGuides(*classTemplate, way);
    }
    for (const Decl* part : together) walk(*part, way);
    if (!way.isConstraint) return;
    // Whether a constraint holds is asked with what a template has been specialized for.
    for (const NamedDecl* special : specializationsMet(*member, decisions_.includes()))
        if (decisions_.isUsers(*special) && !walked_.constraints.contains(special))
            use(*special, special->getLocation(), way);
}

void Reachability::carryText(const Decl& member, Way way) {
    reached_.declarations.try_emplace(&member, way.route);
    walk(member, way);
}

/// Carries what a name was found by, if not by itself: a using-declaration or a namespace alias.
void Reachability::carryFoundBy(const NamedDecl& found, Way way) {
    const Decl* via = nullptr;
    if (const auto* shadow = dyn_cast<UsingShadowDecl>(&found))
        via = shadow->getIntroducer();
    else if (const auto* alias = dyn_cast<NamespaceAliasDecl>(&found)) {
        via = alias;
        carryFoundBy(*alias->getAliasedNamespace(), way);
    }
    if (!via || !via->getDeclContext()->isFileContext() || !decisions_.isUsers(*via)) return;
    carryText(*via, {nullptr, way.isConstraint});
}

void Reachability::carryGuides(const ClassTemplateDecl& classTemplate, Way way) {
    const DeclarationName name = classTemplate.getASTContext().DeclarationNames.getCXXDeductionGuideName(
        const_cast<ClassTemplateDecl*>(&classTemplate));
    for (const NamedDecl* guide : classTemplate.getDeclContext()->lookup(name))
        if (!guide->isImplicit()) carryText(*guide, {nullptr, way.isConstraint});
}

}  // namespace foldwise
